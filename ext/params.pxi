# Search parameters: the numbers and features that steer a search, in one struct.
#
# Every function of the search takes `const Params* params`. Its bodies are always-inline and compiled twice: with the
# constant DEFAULT_PARAMS, where the compiler folds each number and each test of a feature, and with the parameters of
# the search at hand. `begin_search` chooses once, so that play pays nothing for tuning and for turning features off.

from libc.math cimport log

ctypedef i32 LmrTable[64][64]       # reductions by depth and move number, 1/1024 ply

include "tunables.pxi"      # generated: Params, DEFAULT_PARAMS, DEFAULT_LMR_TABLE, TUNABLES

cdef Params TUNED_PARAMS = DEFAULT_PARAMS   # what set_tunables changes; searches copy it when they begin
cdef LmrTable TUNED_LMR_TABLE[2]
cdef int TUNABLE_RANGES[TUNABLE_COUNT][2]   # lowest and highest value
cdef double LOGARITHMS[64]                  # of depths and move numbers; tuning fills the tables before every move


cdef inline bint uses(const Params* params, int feature) noexcept nogil:
    """Whether a feature (USE_…) is on."""
    return (params.features >> feature & 1) != 0


cdef inline bint are_default(const Params* params) noexcept nogil:
    """Whether all numbers and features are those that DEFAULT_PARAMS folds in."""
    return (params.features == DEFAULT_PARAMS.features
            and memcmp(params, &DEFAULT_PARAMS, TUNABLE_COUNT * sizeof(int)) == 0)


cdef void fill_lmr_table(LmrTable* table, const Params* params) noexcept nogil:
    """Late-move reductions for quiet moves ([0]) and noisy ones ([1])."""
    cdef int depth, number
    cdef double product
    for depth in range(64):
        for number in range(64):
            if depth == 0 or number == 0:
                table[0][depth][number] = table[1][depth][number] = 0
                continue
            product = LOGARITHMS[depth] * LOGARITHMS[number] * 1024
            table[0][depth][number] = params.LMR_BASE + <i32>(product * 200 / params.LMR_DIVISOR)
            table[1][depth][number] = params.LMR_NOISY_BASE + <i32>(product * 200 / params.LMR_NOISY_DIVISOR)


cdef void set_params(const int* values) noexcept nogil:
    """Gives TUNED_PARAMS new numbers, in the order of TUNABLES."""
    memcpy(&TUNED_PARAMS, values, TUNABLE_COUNT * sizeof(int))
    fill_lmr_table(TUNED_LMR_TABLE, &TUNED_PARAMS)


cdef void fill_params() noexcept nogil:
    cdef int i
    for i in range(1, 64):
        LOGARITHMS[i] = log(<double>i)
    fill_lmr_table(DEFAULT_LMR_TABLE, &DEFAULT_PARAMS)
    TUNED_PARAMS.tuned = True
    TUNED_PARAMS.lmr_table = TUNED_LMR_TABLE
    fill_lmr_table(TUNED_LMR_TABLE, &TUNED_PARAMS)


cdef void fill_ranges():
    for i, row in enumerate(TUNABLES):
        TUNABLE_RANGES[<int>i][0] = row.low
        TUNABLE_RANGES[<int>i][1] = row.high


fill_params()
fill_ranges()
