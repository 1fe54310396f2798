/** What the aliases of an index share: its ids, what is derived of them, and their copies on the device. */
import { allocateTensor } from './apply.ts';
import type { Backend } from './backend.ts';
import type { DType } from './dtype.ts';
import { countsOf, groupIds, identity, mostEntries } from './id-lists.ts';
import type { CheckedIds, Grouping } from './id-lists.ts';
import { releaseInts } from './int-pool.ts';
import type { Tensor } from './tensor.ts';

export class IndexLists {
  readonly backend: Backend;
  readonly rows: number;
  /** Of deferred indices, until they are made. */
  #make: (() => CheckedIds) | undefined;
  #made: CheckedIds | undefined;
  /** What is on the device. */
  #ids: Tensor | undefined;
  #offsets: Tensor | undefined;
  #order: Tensor | undefined;
  #counts: Tensor | undefined;
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
    for (const tensor of [this.#ids, this.#offsets, this.#order, this.#counts]) tensor?.dispose(by);
    if (this.#made) releaseInts(this.#made.ids);
    this.#releaseGrouping();
  }

  get checked(): CheckedIds {
    this.#made ??= this.#make!();
    this.#make = undefined;
    return this.#made;
  }

  get ids(): Tensor {
    return (this.#ids ??= this.#upload('int32', this.checked.ids));
  }

  get offsets(): Tensor {
    this.#offsets ??= this.#upload('int32', this.#group().offsets);
    this.#forgetUploaded();
    return this.#offsets;
  }

  get order(): Tensor {
    this.#order ??= this.#upload('int32', this.#group().order ?? identity(this.checked.ids.length));
    this.#forgetUploaded();
    return this.#order;
  }

  get counts(): Tensor {
    return (this.#counts ??= this.#upload('float32', countsOf(this.#group().offsets)));
  }

  get longest(): number {
    // A few entries among many rows are counted without a table of the rows.
    const isSparse = !this.#grouping && 8 * this.checked.ids.length < this.rows;
    return (this.#longest ??= isSparse ? mostEntries(this.checked.ids) : this.#group().longest);
  }

  #group(): Grouping {
    return (this.#grouping ??= groupIds(this.checked, this.rows));
  }

  /** Once the grouping is on the device, nothing but its longest row is read on the host. */
  #forgetUploaded(): void {
    if (!this.#grouping || !this.#offsets) return;
    if (this.#grouping.order && !this.#order) return;
    this.#longest = this.#grouping.longest;
    this.#releaseGrouping();
  }

  #releaseGrouping(): void {
    if (!this.#grouping) return;
    releaseInts(this.#grouping.offsets);
    if (this.#grouping.order) releaseInts(this.#grouping.order);
    this.#grouping = undefined;
  }

  /** The tensor lives as long as the index, whatever scope is open now. */
  #upload(dtype: DType, data: Int32Array | Float32Array): Tensor {
    const tensor = allocateTensor(this.backend, { dtype, shape: [data.length] });
    tensor.owner?.disown(tensor);
    this.backend.write(tensor.buffer, data);
    return tensor;
  }
}
