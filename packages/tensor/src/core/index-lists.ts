/** What the aliases of an index share: its ids, what is derived of them, and their copies on the device. */
import { allocateTensor } from './apply.ts';
import type { Backend } from './backend.ts';
import type { DType } from './dtype.ts';
import { groupIds, identity, longestGroup, mostEntries } from './id-lists.ts';
import type { CheckedIds, Grouping } from './id-lists.ts';
import { releaseInts } from './int-pool.ts';
import type { Tensor } from './tensor.ts';

export class IndexLists {
  readonly backend: Backend;
  readonly rows: number;
  /** Of deferred indices, until they are made. */
  #make: (() => CheckedIds) | undefined;
  #made: CheckedIds | undefined;
  readonly #uploaded = new Map<string, Tensor>();
  #grouping: Grouping | undefined;
  #longest: number | undefined;
  #owners = 1;

  constructor(backend: Backend, ids: CheckedIds | (() => CheckedIds), rows: number) {
    this.backend = backend;
    this.rows = rows;
    if (typeof ids === 'function') this.#make = ids;
    else this.#made = ids;
  }

  retain(): this {
    this.#owners += 1;
    return this;
  }

  /** `by` is named where a list is used after its last owner is gone. */
  release(by: string): void {
    this.#owners -= 1;
    if (this.#owners > 0) return;
    for (const tensor of this.#uploaded.values()) tensor.dispose(by);
    if (this.#made) releaseInts(this.#made.ids);
    this.#releaseGrouping();
  }

  /** Undefined for a deferred index that was not made. */
  get knownLength(): number | undefined {
    return this.#made?.ids.length;
  }

  get checked(): CheckedIds {
    this.#made ??= this.#make!();
    this.#make = undefined;
    return this.#made;
  }

  get ids(): Tensor {
    return this.#upload('ids', 'int32', () => this.checked.ids);
  }

  get offsets(): Tensor {
    const tensor = this.#upload('offsets', 'int32', () => this.#group().offsets);
    this.#forgetUploaded();
    return tensor;
  }

  get order(): Tensor {
    const make = (): Int32Array => this.#group().order ?? identity(this.checked.ids.length);
    const tensor = this.#upload('order', 'int32', make);
    this.#forgetUploaded();
    return tensor;
  }

  get counts(): Tensor {
    return this.#upload('counts', 'float32', () => {
      const { offsets } = this.#group();
      return Float32Array.from({ length: this.rows }, (_, row) => offsets[row + 1] - offsets[row]);
    });
  }

  get longest(): number {
    // A few entries among many rows are counted without a table of the rows.
    const isSparse = !this.#grouping && 8 * this.checked.ids.length < this.rows;
    return (this.#longest ??= isSparse ? mostEntries(this.checked.ids) : longestGroup(this.#group().offsets));
  }

  #group(): Grouping {
    return (this.#grouping ??= groupIds(this.checked, this.rows));
  }

  /** Once the grouping is on the device, nothing but its longest row is read on the host. */
  #forgetUploaded(): void {
    if (!this.#grouping || !this.#uploaded.has('offsets')) return;
    if (this.#grouping.order && !this.#uploaded.has('order')) return;
    this.#longest ??= longestGroup(this.#grouping.offsets);
    this.#releaseGrouping();
  }

  #releaseGrouping(): void {
    if (!this.#grouping) return;
    releaseInts(this.#grouping.offsets);
    if (this.#grouping.order) releaseInts(this.#grouping.order);
    this.#grouping = undefined;
  }

  /** Uploads on first use; the tensor lives as long as the index, whatever scope is open now. */
  #upload(name: string, dtype: DType, values: () => Int32Array | Float32Array): Tensor {
    const known = this.#uploaded.get(name);
    if (known) return known;
    const data = values();
    const tensor = allocateTensor(this.backend, { dtype, shape: [data.length] });
    tensor.owner?.disown(tensor);
    this.backend.write(tensor.buffer, data);
    this.#uploaded.set(name, tensor);
    return tensor;
  }
}
