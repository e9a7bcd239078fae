# Memory: large blocks of zeroed pages straight from the system, which get their memory when they are first touched and
# give it back when they are freed. The allocator of the C library keeps freed blocks of this size for itself.

cdef enum:
    HUGE_PAGE = 1 << 21         # bytes

cdef extern from *:
    """
    #include <string.h>
    #if defined(__linux__) || defined(__APPLE__)
      #include <sys/mman.h>
      #ifndef MAP_ANONYMOUS
        #define MAP_ANONYMOUS MAP_ANON
      #endif
      #if defined(__linux__) && !defined(MADV_POPULATE_WRITE)
        #define MADV_POPULATE_WRITE 23  /* Linux 5.14 */
      #endif
      static void* cy_alloc_pages(size_t bytes, int huge) {
          void* p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
          if (p == MAP_FAILED) return NULL;
          #ifdef MADV_HUGEPAGE
            if (huge) madvise(p, bytes, MADV_HUGEPAGE);
          #else
            (void)huge;
          #endif
          return p;
      }
      static void cy_free_pages(void* p, size_t bytes) { if (p) munmap(p, bytes); }
    #else
      static void* cy_alloc_pages(size_t bytes, int huge) { (void)huge; return calloc(bytes, 1); }
      static void cy_free_pages(void* p, size_t bytes) { (void)bytes; free(p); }
    #endif
    static void cy_touch_pages(void* p, size_t bytes) {
        volatile char* at = (volatile char*)p;
        volatile char* end = at + bytes;
        #ifdef MADV_POPULATE_WRITE
          size_t page = 4096, before = (size_t)p % page;
          if (madvise((char*)p - before, bytes + before, MADV_POPULATE_WRITE) == 0) return;
        #endif
        for (; at < end; at += 4096) *at = *at;
    }
    """
    void* alloc_pages "cy_alloc_pages"(size_t bytes, bint huge) noexcept nogil     # NULL if there are none
    void free_pages "cy_free_pages"(void* p, size_t bytes) noexcept nogil
    void touch_pages "cy_touch_pages"(void* p, size_t bytes) noexcept nogil        # has the system back them by memory


cdef inline size_t round_up(size_t bytes, size_t border) noexcept nogil:
    """The next multiple of `border`, a power of two."""
    return (bytes + border - 1) & ~(border - 1)
