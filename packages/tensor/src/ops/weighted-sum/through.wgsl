// How an entry k finds its row of x: it is row k, or row ids[k]. Host code says the name.
const through_rows = 0u;
const through_ids = 1u;
override through: u32 = through_rows;
