# Which build of the core this CPU can run. A module of its own, because asking must not load one.

cdef extern from *:
    """
    #if (defined(__x86_64__) || defined(_M_X64)) && (defined(__GNUC__) || defined(__clang__))
      static int cy_has_v3(void) {
          __builtin_cpu_init();
          return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
              && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma")
              && __builtin_cpu_supports("popcnt");
      }
      static int cy_has_v4(void) {
          __builtin_cpu_init();
          return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
              && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
              && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
      }
      /* AMD before Zen 3 has pext in microcode: slower than magic multiplication. */
      static int cy_slow_pext(void) {
          __builtin_cpu_init();
          return __builtin_cpu_is("amdfam17h") || __builtin_cpu_is("bdver4");
      }
    #elif defined(_MSC_VER) && defined(_M_X64)
      #include <intrin.h>
      static int cy_has_v3(void) {
          int r[4];
          __cpuid(r, 0);
          if (r[0] < 7) return 0;
          __cpuid(r, 1);
          if (!(r[2] & (1 << 12)) || !(r[2] & (1 << 23)) || !(r[2] & (1 << 27))) return 0;
          if ((_xgetbv(0) & 6) != 6) return 0;
          __cpuidex(r, 7, 0);
          return (r[1] & (1 << 3)) && (r[1] & (1 << 5)) && (r[1] & (1 << 8));
      }
      static int cy_has_v4(void) {
          int r[4];
          if (!cy_has_v3() || (_xgetbv(0) & 0xE6) != 0xE6) return 0;
          __cpuidex(r, 7, 0);
          return (r[1] & (1 << 16)) && (r[1] & (1 << 17)) && (r[1] & (1 << 28)) && (r[1] & (1 << 30))
              && (r[1] & (1u << 31)) && (r[2] & (1 << 11));
      }
      static int cy_slow_pext(void) {
          int r[4]; char vendor[13] = {0};
          __cpuid(r, 0);
          memcpy(vendor, &r[1], 4); memcpy(vendor + 4, &r[3], 4); memcpy(vendor + 8, &r[2], 4);
          if (memcmp(vendor, "AuthenticAMD", 12)) return 0;
          __cpuid(r, 1);
          return (((r[0] >> 8) & 15) + ((r[0] >> 20) & 255)) < 0x19;
      }
    #else
      static int cy_has_v3(void) { return 0; }
      static int cy_has_v4(void) { return 0; }
      static int cy_slow_pext(void) { return 0; }
    #endif
    """
    bint cy_has_v3() nogil
    bint cy_has_v4() nogil
    bint cy_slow_pext() nogil


def supports_v3():
    """Whether the CPU runs the x86-64-v3 build (AVX2, BMI2) and runs it well."""
    return bool(cy_has_v3()) and not cy_slow_pext()


def supports_v4():
    """Whether the CPU runs the x86-64-v4 build (AVX-512 and VNNI)."""
    return supports_v3() and bool(cy_has_v4())
