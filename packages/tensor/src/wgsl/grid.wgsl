// Which workgroup this is. Those that do not fit into one dimension are split over x and y, so both count. Without the
// place in the workgroup: all of this is uniform, so that barriers may follow what depends on it.

struct Group {
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) counts: vec3<u32>,
}

fn group_index(group: Group) -> u32 {
  return group.id.y * group.counts.x + group.id.x;
}

// The invocation's place among all, in workgroups of 64.
fn index_of_64(group: Group, local: u32) -> u32 {
  return group_index(group) * 64u + local;
}
