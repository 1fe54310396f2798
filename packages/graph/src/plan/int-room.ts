/** Lends room for `length` numbers, with whatever was in it. It is taken back by the next call, grows, and never shrinks. */
export function createRoom(): (length: number) => Int32Array {
  let room = new Int32Array(1024);
  return (length) => {
    if (length > room.length) room = new Int32Array(2 * length);
    return room;
  };
}

/** So many lists of `length` numbers in one array: an array of its own costs more than the few numbers that most lists have. */
export function sideBySide(length: number, count: number): Int32Array[] {
  const { buffer } = new Int32Array(count * length);
  const lists: Int32Array[] = [];
  for (let list = 0; list < count; list++) lists.push(new Int32Array(buffer, 4 * list * length, length));
  return lists;
}
