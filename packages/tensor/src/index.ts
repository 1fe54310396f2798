export { referenceBackend } from './backends/reference/reference-backend.ts';
export type { ReferenceOptions } from './backends/reference/reference-backend.ts';
export { wasmBackend } from './backends/wasm/open.ts';
export type { WasmOptions } from './backends/wasm/open.ts';
export { WasmBackend } from './backends/wasm/wasm-backend.ts';
export type { WasmMemoryUse } from './backends/wasm/wasm-backend.ts';
export type { WebGpuLimits } from './backends/webgpu/limits.ts';
export type { OpenDeviceOptions, OpenedDevice } from './backends/webgpu/device-options.ts';
export type { ChromeTrace, Profile, ProfiledDispatch, ProfiledKernel } from './backends/webgpu/profile.ts';
export { webGpuBackend } from './backends/webgpu/runtime.ts';
export type { DeviceHandle, WebGpuBackendOptions } from './backends/webgpu/runtime.ts';
export type { AdapterDescription, WebGpuBackend, WebGpuCounters } from './backends/webgpu/webgpu-backend.ts';
export { assign } from './core/assign.ts';
export { currentBackend, setBackend } from './core/backend.ts';
export type { Backend, DeviceBuffer, KernelCall, KernelTensor, OpCall } from './core/backend.ts';
export type { DataArray, DType, NdArray, TensorSpec } from './core/dtype.ts';
export {
  DeviceLostError,
  expectOneOf,
  rejectUnknownOptions,
  TensorError,
  unknownName,
} from './core/errors.ts';
export type { TensorErrorCode } from './core/errors.ts';
export type { NestedNumbers } from './core/format.ts';
export { gradientTerms, partialSums, scatteredRows } from './core/gradient.ts';
export type {
  BackwardContext,
  Gradient,
  Gradients,
  GradientTerm,
  GradientTerms,
  PartialSums,
  SavedValues,
  ScatteredRows,
} from './core/gradient.ts';
export { nearestName } from './core/nearest-name.ts';
export { defineOp } from './core/op.ts';
export type { AnyOp, AttrsOf, KernelOf, NoAttrs, Op, OpDefinition, PlainAttrs } from './core/op.ts';
export type { OperandKind, OperandKinds, OutputKind, OutputKinds, Rows, Values } from './core/operands.ts';
export type { HostKernel, OwnKernels, WebGpuKernel, WebGpuLauncher } from './core/own-kernels.ts';
export { isRecording, noGrad } from './core/recording.ts';
export { deferredIndex, joinIndices, RowIndex, rowIndex, segments } from './core/row-index.ts';
export { Scope, scope } from './core/scope.ts';
export type { Shape } from './core/shape.ts';
export { memory } from './core/storage.ts';
export type { TableRows } from './core/table-rows.ts';
export { Tensor } from './core/tensor.ts';
export { arange, eye, full, ones, tensor, zeros } from './create/create.ts';
export type { CreateOptions, TensorValues } from './create/create.ts';
export { checkNumerics } from './debug/check-numerics.ts';
export { traceOps } from './debug/trace-ops.ts';
export type { Trace, TracedOp } from './debug/trace-ops.ts';
// Every name is written out there, taken from the index.ts of each op's folder.
// eslint-disable-next-line no-restricted-syntax
export * from './ops/generated/public.ts';
export { registry } from './ops/registry.ts';
export type { KernelTable, OpName } from './ops/registry.ts';
export { normal, truncatedNormal, uniform } from './random/distributions.ts';
export type { NormalOptions, UniformOptions } from './random/distributions.ts';
export { multiplyHigh, philox } from './random/philox.ts';
export { RandomKey, randomKey } from './random/random-key.ts';
