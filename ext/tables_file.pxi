# Table files: mapped into memory read-only, and the flag that lets one thread open what others wait for.

cdef extern from *:
    """
    #ifdef _WIN32
      #ifndef WIN32_LEAN_AND_MEAN
        #define WIN32_LEAN_AND_MEAN
      #endif
      #include <windows.h>

      static void* cy_map_file(const char* path, uint64_t* size) {
          wchar_t wide[32768];
          LARGE_INTEGER length;
          HANDLE file, mapping;
          void* view = NULL;
          if (!MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, 32768)) return NULL;
          file = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                             FILE_FLAG_RANDOM_ACCESS, NULL);
          if (file == INVALID_HANDLE_VALUE) return NULL;
          if (GetFileSizeEx(file, &length) && length.QuadPart > 0) {
              mapping = CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
              if (mapping) {
                  view = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
                  CloseHandle(mapping);
                  *size = (uint64_t)length.QuadPart;
              }
          }
          CloseHandle(file);
          return view;
      }
      static void cy_unmap_file(void* view, uint64_t size) { (void)size; UnmapViewOfFile(view); }
      static void cy_yield_thread(void) { Sleep(0); }
    #else
      #include <fcntl.h>
      #include <sched.h>
      #include <sys/mman.h>
      #include <sys/stat.h>
      #include <unistd.h>

      static void* cy_map_file(const char* path, uint64_t* size) {
          struct stat facts;
          void* view = NULL;
          int file = open(path, O_RDONLY | O_CLOEXEC);
          if (file < 0) return NULL;
          if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0) {
              view = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_SHARED, file, 0);
              if (view == MAP_FAILED) view = NULL;
              else {
                  *size = (uint64_t)facts.st_size;
                  #ifdef MADV_RANDOM
                  madvise(view, (size_t)facts.st_size, MADV_RANDOM);
                  #endif
              }
          }
          close(file);
          return view;
      }
      static void cy_unmap_file(void* view, uint64_t size) { munmap(view, (size_t)size); }
      static void cy_yield_thread(void) { sched_yield(); }
    #endif

    #if defined(_MSC_VER) && !defined(__clang__)
      static __forceinline int cy_swap_if(int* p, int from, int to) {
          return _InterlockedCompareExchange((volatile long*)p, to, from) == from;
      }
    #else
      static __inline__ int cy_swap_if(int* p, int from, int to) {
          return __atomic_compare_exchange_n(p, &from, to, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
      }
    #endif
    """
    u8* map_file "cy_map_file"(const char* path, u64* size) noexcept nogil      # NULL: cannot be read, or empty
    void unmap_file "cy_unmap_file"(void* view, u64 size) noexcept nogil
    void yield_thread "cy_yield_thread"() noexcept nogil
    bint atomic_swap_if "cy_swap_if"(int* p, int old, int new) noexcept nogil      # atomic; whether `old` was there


cdef inline u32 read16(const u8* at) noexcept nogil:
    """Two bytes, little-endian, at any address."""
    return <u32>at[0] | <u32>at[1] << 8


cdef inline u32 read32(const u8* at) noexcept nogil:
    return <u32>at[0] | <u32>at[1] << 8 | <u32>at[2] << 16 | <u32>at[3] << 24


cdef inline u64 read32_big(const u8* at) noexcept nogil:
    """Four bytes, big-endian."""
    return <u64>at[0] << 24 | <u64>at[1] << 16 | <u64>at[2] << 8 | <u64>at[3]
