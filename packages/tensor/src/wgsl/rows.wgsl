// Rows that gather entries: row r has the entries offsets[r] to offsets[r + 1] of an order. Rows of few entries run with
// one lane, those of many in a second dispatch with many, so that no row waits for one invocation.

// Whether a row of so many entries is this dispatch's.
fn is_between(entries: u32, shortest: u32, longest: u32) -> bool {
  return entries >= shortest && entries <= longest;
}

struct SegmentParams {
  rows: u32,
  width: u32,
  // Units per row.
  units: u32,
  // Only rows of so many entries are this dispatch's.
  shortest: u32,
  longest: u32,
}

struct HeadsParams {
  rows: u32,
  // Values of a row, and of each of its heads.
  width: u32,
  head_width: u32,
  // Units per row.
  units: u32,
  // Only rows of so many entries are this dispatch's.
  shortest: u32,
  longest: u32,
}
