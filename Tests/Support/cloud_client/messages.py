"""The protocol's messages, made by protoc from Protocol/ each time: nothing of Baton's own code is used."""

import importlib
import pathlib
import subprocess
import sys
import tempfile

PROTOCOL = pathlib.Path(__file__).resolve().parents[3] / "Protocol"
_folder = tempfile.TemporaryDirectory(prefix="cloud-client-")


def _generate():
    files = ["baton/value/v1/value.proto", "baton/link/v1/link.proto", "baton/cloud/v1/cloud.proto"]
    command = ["protoc", f"--proto_path={PROTOCOL}", f"--python_out={_folder.name}", *files]
    try:
        subprocess.run(command, check=True, stdout=sys.stderr)
    except FileNotFoundError:
        sys.exit("protoc is missing. Install it by: dev/setup --tests")
    except subprocess.CalledProcessError as error:
        sys.exit(f"protoc refuses the files in Protocol/ (status {error.returncode}). See its messages above.")
    sys.path.insert(0, _folder.name)


_generate()
link = importlib.import_module("baton.link.v1.link_pb2")
cloud = importlib.import_module("baton.cloud.v1.cloud_pb2")


def path(method):
    """Of `ZoneService/WriteItems`: what is called over HTTP."""
    return f"/{cloud.DESCRIPTOR.package}.{method}"


def response(method):
    """The class of a method's answers."""
    service, name = method.split("/")
    return getattr(cloud, cloud.DESCRIPTOR.services_by_name[service].methods_by_name[name].output_type.name)
