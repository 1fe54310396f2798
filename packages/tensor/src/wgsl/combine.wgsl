// How values become one. Host code says the name.
const combine_sum = 0u;
const combine_max = 1u;
