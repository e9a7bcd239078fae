# Platform: fixed-width types, bit instructions, prefetch, atomics, threads, and the debug assert.
#
# Everything that depends on the compiler or the CPU is here, as verbatim C, so that no other part depends
# on it. Two macros come from the build (setup.py):
#   CYTHERA_PEXT   sliders are looked up by pext (BMI2) instead of magic multiplication
#   CYTHERA_DEBUG  `must` aborts with file and line instead of compiling to nothing

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy, memmove, memset, strlen

ctypedef int8_t i8
ctypedef int16_t i16
ctypedef int32_t i32
ctypedef int64_t i64
ctypedef uint8_t u8
ctypedef uint16_t u16
ctypedef uint32_t u32
ctypedef uint64_t u64
ctypedef float f32

cdef extern from *:
    """
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>

    #if defined(_MSC_VER) && !defined(__clang__)
      #include <intrin.h>
      static __forceinline int cy_ctz(uint64_t b) { unsigned long i; _BitScanForward64(&i, b); return (int)i; }
      static __forceinline int cy_msb(uint64_t b) { unsigned long i; _BitScanReverse64(&i, b); return (int)i; }
      #if defined(_M_X64)
        static __forceinline int cy_popcount(uint64_t b) { return (int)__popcnt64(b); }
        static __forceinline void cy_prefetch(const void* p) { _mm_prefetch((const char*)p, _MM_HINT_T0); }
      #else
        static __forceinline int cy_popcount(uint64_t b) { int n = 0; while (b) { b &= b - 1; n++; } return n; }
        static __forceinline void cy_prefetch(const void* p) { (void)p; }
      #endif
      static __forceinline uint64_t cy_bswap(uint64_t b) { return _byteswap_uint64(b); }
      static __forceinline int cy_fetch_add(int* p, int n) {
          return (int)_InterlockedExchangeAdd((volatile long*)p, n);
      }
      static __forceinline int cy_load(const int* p) { return *(const volatile int*)p; }
      static __forceinline void cy_store(int* p, int n) { *(volatile int*)p = n; }
      static __forceinline uint64_t cy_load64(const uint64_t* p) { return *(const volatile uint64_t*)p; }
      static __forceinline void cy_store64(uint64_t* p, uint64_t n) { *(volatile uint64_t*)p = n; }
      #define CY_COMPILER "MSVC"
    #else
      #define cy_ctz(b) __builtin_ctzll(b)
      #define cy_msb(b) (63 ^ __builtin_clzll(b))
      #define cy_popcount(b) __builtin_popcountll(b)
      #define cy_prefetch(p) __builtin_prefetch(p)
      #define cy_bswap(b) __builtin_bswap64(b)
      #define cy_fetch_add(p, n) __atomic_fetch_add(p, n, __ATOMIC_RELAXED)
      #define cy_load(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
      #define cy_store(p, n) __atomic_store_n(p, n, __ATOMIC_RELEASE)
      #define cy_load64(p) __atomic_load_n(p, __ATOMIC_RELAXED)
      #define cy_store64(p, n) __atomic_store_n(p, n, __ATOMIC_RELAXED)
      #define CY_COMPILER __VERSION__
    #endif

    #if defined(_MSC_VER)
      #define CY_RESTRICT __restrict
    #else
      #define CY_RESTRICT __restrict__
    #endif
    typedef int16_t* CY_RESTRICT cy_shorts;
    typedef const int16_t* CY_RESTRICT cy_const_shorts;
    typedef float* CY_RESTRICT cy_floats;
    typedef const float* CY_RESTRICT cy_const_floats;

    #ifdef CYTHERA_PEXT
      #include <immintrin.h>
      #define cy_pext(b, m) _pext_u64(b, m)
      #define CY_PEXT 1
    #else
      #define cy_pext(b, m) ((uint64_t)0)  /* never reached: magics are used */
      #define CY_PEXT 0
    #endif

    #ifdef CYTHERA_DEBUG
      #define CY_DEBUG 1
      #define cy_must(x) do { if (!(x)) { \\
          fprintf(stderr, "cythera: broken invariant %s at %s:%d\\n", #x, __FILE__, __LINE__); \\
          abort(); } } while (0)
    #else
      #define CY_DEBUG 0
      #define cy_must(x) ((void)(0 && (x)))   /* not evaluated */
    #endif
    """
    ctypedef i16* Shorts "cy_shorts"                    # restrict: memory that no other pointer reaches
    ctypedef const i16* ConstShorts "cy_const_shorts"
    ctypedef f32* Floats "cy_floats"
    ctypedef const f32* ConstFloats "cy_const_floats"
    int ctz "cy_ctz"(u64 b) noexcept nogil              # index of the lowest bit; b != 0
    int msb "cy_msb"(u64 b) noexcept nogil              # index of the highest bit; b != 0
    int popcount "cy_popcount"(u64 b) noexcept nogil
    u64 bswap "cy_bswap"(u64 b) noexcept nogil          # mirrors a bitboard top to bottom
    u64 pext "cy_pext"(u64 b, u64 mask) noexcept nogil
    void prefetch "cy_prefetch"(const void* p) noexcept nogil
    int atomic_fetch_add "cy_fetch_add"(int* p, int n) noexcept nogil      # atomic; the value before
    int atomic_load "cy_load"(const int* p) noexcept nogil     # flags between threads, acquire
    void atomic_store "cy_store"(int* p, int n) noexcept nogil          # release
    u64 atomic_load64 "cy_load64"(const u64* p) noexcept nogil             # counters, relaxed
    void atomic_store64 "cy_store64"(u64* p, u64 n) noexcept nogil
    void must "cy_must"(bint x) noexcept nogil          # a C assert, only in the debug build
    const bint USE_PEXT "CY_PEXT"
    const bint DEBUG_BUILD "CY_DEBUG"
    const char* COMPILER "CY_COMPILER"


cdef extern from *:
    """
    #include "pythread.h"
    #if defined(__linux__)
      #include <string.h>
      #include <sys/syscall.h>
      #include <unistd.h>
      static int cy_short_slices(void) {
          struct {
              uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority;
              uint64_t runtime, deadline, period;
          } attr;
          memset(&attr, 0, sizeof attr);
          #if defined(SYS_sched_getattr) && defined(SYS_sched_setattr)
            if (syscall(SYS_sched_getattr, 0, &attr, (unsigned)sizeof attr, 0) != 0 || attr.policy != 0) return 0;
            attr.size = sizeof attr;
            attr.runtime = 100000;  /* nanoseconds, the least there is; kernels before 6.12 do not look at it */
            return syscall(SYS_sched_setattr, 0, &attr, 0) == 0;
          #else
            return 0;
          #endif
      }
    #else
      static int cy_short_slices(void) { return 0; }
    #endif
    #if defined(_WIN32)
      #define cy_process_id() 0  /* there is no fork */
    #else
      #include <unistd.h>
      #define cy_process_id() ((int)getpid())
    #endif
    static int cy_start_thread(void (*work)(void*), void* data) {
        return PyThread_start_new_thread(work, data) != PYTHREAD_INVALID_THREAD_ID;
    }
    static void cy_free_lock(PyThread_type_lock lock) { if (lock) PyThread_free_lock(lock); }
    static int cy_wait_for_lock(PyThread_type_lock lock, long long us) {
        if (PyThread_acquire_lock_timed(lock, us, 0) != PY_LOCK_ACQUIRED) return 0;
        PyThread_release_lock(lock);
        return 1;
    }
    """
    ctypedef void* ThreadLock "PyThread_type_lock"      # held or free; any thread may release it
    ThreadLock new_lock "PyThread_allocate_lock"() noexcept nogil          # NULL if there is no memory
    void free_lock "cy_free_lock"(ThreadLock lock) noexcept nogil
    int acquire_lock "PyThread_acquire_lock"(ThreadLock lock, int wait) noexcept nogil
    void release_lock "PyThread_release_lock"(ThreadLock lock) noexcept nogil
    bint wait_for_lock "cy_wait_for_lock"(ThreadLock lock, i64 us) noexcept nogil      # until free; us < 0: for ever
    bint start_thread "cy_start_thread"(void (*work)(void*) noexcept nogil, void* data) noexcept nogil
    int process_id "cy_process_id"() noexcept nogil
    bint short_slices "cy_short_slices"() noexcept nogil        # of this thread and those it starts; whether it worked


cdef inline void* align_up(void* p, size_t border) noexcept nogil:
    """The first address at or after `p` that is a multiple of `border`, a power of two."""
    return <void*>((<size_t>p + border - 1) & ~(border - 1))


cdef inline int min_int(int a, int b) noexcept nogil:
    return a if a < b else b


cdef inline int max_int(int a, int b) noexcept nogil:
    return a if a > b else b


cdef inline int abs_int(int a) noexcept nogil:
    return a if a >= 0 else -a


cdef inline int shifted_towards_zero(int value, const int bits) noexcept nogil:
    """value / 2^bits, rounded towards zero. Compilers divide in code that they take for rare, to save bytes."""
    return (value + ((value >> 31) & ((1 << bits) - 1))) >> bits


cdef inline int clamp_int(int value, int low, int high) noexcept nogil:
    if value < low:
        return low
    if value > high:
        return high
    return value
