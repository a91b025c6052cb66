#pragma once
#include <gumbo.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The parser checks no allocation. So it gets its memory from an arena with a bound, and is left by a jump where the bound
   is reached: only frames of the parser and of this file lie between. Nothing is freed before the whole arena is, but freed
   pieces are used again. */
typedef struct baton_arena {
    uint8_t *memory;
    size_t used, size, bound, total;
    void *blocks;
    void *free_pieces[64];
    jmp_buf out_of_memory;
} baton_arena;

/* A piece's length with its header: by eight bytes up to 256, then a power of two; and the number of its list. */
static inline size_t baton_arena_rounded(size_t size, int *list) {
    size_t whole = (size + 8 + 7) & ~(size_t)7;
    if (whole <= 256) {
        *list = (int)(whole / 8);
        return whole;
    }
    int bits = 9;
    while (((size_t)1 << bits) < whole && bits < 31) bits++;
    *list = 33 + bits - 9;
    return (size_t)1 << bits;
}

static inline void *baton_arena_allocate(void *userdata, size_t size) {
    baton_arena *arena = (baton_arena *)userdata;
    if (size > arena->bound) longjmp(arena->out_of_memory, 1);
    int list;
    size_t rounded = baton_arena_rounded(size, &list);
    uint8_t *piece = (uint8_t *)arena->free_pieces[list];
    if (piece) {
        memcpy(&arena->free_pieces[list], piece + 8, sizeof(void *));
        return piece + 8;
    }
    if (arena->used + rounded > arena->size) {
        size_t block = rounded + 8 > 262144 ? rounded + 8 : 262144;
        if (arena->total + block > arena->bound) longjmp(arena->out_of_memory, 1);
        uint8_t *memory = (uint8_t *)malloc(block);
        if (!memory) longjmp(arena->out_of_memory, 1);
        memcpy(memory, &arena->blocks, sizeof(void *));
        arena->blocks = memory;
        arena->memory = memory;
        arena->used = 8;
        arena->size = block;
        arena->total += block;
    }
    piece = arena->memory + arena->used;
    arena->used += rounded;
    uint64_t number = (uint64_t)list;
    memcpy(piece, &number, sizeof number);
    return piece + 8;
}

static inline void baton_arena_free(void *userdata, void *pointer) {
    baton_arena *arena = (baton_arena *)userdata;
    if (!pointer) return;
    uint8_t *piece = (uint8_t *)pointer - 8;
    uint64_t list;
    memcpy(&list, piece, sizeof list);
    memcpy(pointer, &arena->free_pieces[list], sizeof(void *));
    arena->free_pieces[list] = piece;
}

static inline void baton_arena_destroy(baton_arena *arena) {
    void *block = arena->blocks;
    while (block) {
        void *next;
        memcpy(&next, block, sizeof next);
        free(block);
        block = next;
    }
    free(arena);
}

static inline baton_arena *baton_arena_create(size_t bound) {
    baton_arena *arena = (baton_arena *)calloc(1, sizeof(baton_arena));
    if (arena) arena->bound = bound;
    return arena;
}

/* The tree of a document, whose memory is the arena's; NULL where that is not enough. */
static inline GumboOutput *baton_gumbo_parse(baton_arena *arena, const char *bytes, size_t length) {
    GumboOptions options = kGumboDefaultOptions;
    options.allocator = baton_arena_allocate;
    options.deallocator = baton_arena_free;
    options.userdata = arena;
    options.max_errors = 0;
    if (setjmp(arena->out_of_memory)) return NULL;
    return gumbo_parse_with_options(&options, bytes, length);
}

/* Swift sees no unions within structures of C by these names. */
static inline const GumboVector *baton_gumbo_children(const GumboNode *node) {
    return node->type == GUMBO_NODE_DOCUMENT ? &node->v.document.children : &node->v.element.children;
}
static inline int baton_gumbo_is_element(const GumboNode *node) {
    return node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE;
}
static inline const char *baton_gumbo_text(const GumboNode *node) {
    return node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_WHITESPACE || node->type == GUMBO_NODE_CDATA
        ? node->v.text.text : NULL;
}
static inline const char *baton_gumbo_attribute(const GumboNode *node, const char *name) {
    const GumboAttribute *attribute = gumbo_get_attribute(&node->v.element.attributes, name);
    return attribute ? attribute->value : NULL;
}
static inline unsigned baton_gumbo_attribute_count(const GumboNode *node) { return node->v.element.attributes.length; }
static inline const GumboAttribute *baton_gumbo_attribute_at(const GumboNode *node, unsigned index) {
    return (const GumboAttribute *)node->v.element.attributes.data[index];
}
