export { grad, parameter, stopGradient, valueAndGrad } from './autograd/grad.ts';
export type { ValueAndGrads } from './autograd/grad.ts';
export { recompute } from './autograd/recompute.ts';
export { noGrad } from './autograd/tape.ts';
export type { BackwardContext, Gradient } from './autograd/tape.ts';
export { referenceBackend } from './backends/reference/reference-backend.ts';
export type { ReferenceOptions } from './backends/reference/reference-backend.ts';
export { wasmBackend } from './backends/wasm/open.ts';
export type { WasmOptions } from './backends/wasm/open.ts';
export { WasmBackend } from './backends/wasm/wasm-backend.ts';
export type { WasmMemoryUse, WasmUserKernel } from './backends/wasm/wasm-backend.ts';
export type { WebGpuLimits } from './backends/webgpu/limits.ts';
export type { OpenDeviceOptions, OpenedDevice } from './backends/webgpu/device-options.ts';
export { webGpuKernel } from './backends/webgpu/own-kernel.ts';
export type { WebGpuKernel } from './backends/webgpu/own-kernel.ts';
export type { ChromeTrace, Profile, ProfiledDispatch, ProfiledKernel } from './backends/webgpu/profile.ts';
export { webGpuBackend } from './backends/webgpu/runtime.ts';
export type { DeviceHandle, WebGpuBackendOptions } from './backends/webgpu/runtime.ts';
export type { AdapterDescription, WebGpuBackend, WebGpuCounters } from './backends/webgpu/webgpu-backend.ts';
export { assign } from './core/assign.ts';
export { currentBackend, setBackend } from './core/backend.ts';
export type { Backend, DeviceBuffer, KernelCall, KernelTensor } from './core/backend.ts';
export type { DataArray, DType, NdArray, TensorSpec } from './core/dtype.ts';
export { DeviceLostError, TensorError } from './core/errors.ts';
export type { TensorErrorCode } from './core/errors.ts';
export type { NestedNumbers } from './core/format.ts';
export { defineOp } from './core/op.ts';
export type { AttrsOf, NoAttrs, Op, OpDefinition } from './core/op.ts';
export { deferredIndex, joinIndices, RowIndex, rowIndex, segments } from './core/row-index.ts';
export { Scope, scope } from './core/scope.ts';
export type { Shape } from './core/shape.ts';
export { memory } from './core/storage.ts';
export { Tensor } from './core/tensor.ts';
export { arange, eye, full, ones, tensor, zeros } from './create/create.ts';
export type { CreateOptions, TensorValues } from './create/create.ts';
export { checkNumerics } from './debug/check-numerics.ts';
export { traceOps } from './debug/trace-ops.ts';
export type { Trace, TracedOp } from './debug/trace-ops.ts';
export { adamUpdate } from './ops/adam/adam-update.op.ts';
export type { AdamAttrs } from './ops/adam/adam-update.op.ts';
export { attendedSum } from './ops/attended-sum/attended-sum.op.ts';
export type { AttendedSumOptions } from './ops/attended-sum/attended-sum.op.ts';
export { cast } from './ops/cast/cast.op.ts';
export { crossEntropy } from './ops/cross-entropy/cross-entropy.ts';
export { edgeDot } from './ops/edge-dot/edge-dot.op.ts';
export type { EdgeDotOptions } from './ops/edge-dot/edge-dot.op.ts';
export {
  add,
  div,
  equal,
  greater,
  greaterEqual,
  less,
  lessEqual,
  maximum,
  minimum,
  mul,
  notEqual,
  pow,
  sub,
} from './ops/elementwise/binary.op.ts';
export {
  abs,
  clamp,
  exp,
  leakyRelu,
  log,
  neg,
  reciprocal,
  relu,
  sigmoid,
  softplus,
  sqrt,
  square,
  tanh,
} from './ops/elementwise/unary.op.ts';
export { onesLike, zerosLike } from './ops/fill/fill.op.ts';
export { gatherSum } from './ops/gather/gather-sum.op.ts';
export { gather, scatterAdd } from './ops/gather/gather.op.ts';
export { gruCell } from './ops/gru-cell/gru-cell.op.ts';
export type { GruWeights } from './ops/gru-cell/gru-cell.op.ts';
export { linear } from './ops/linear/linear.op.ts';
export { matmul } from './ops/matmul/matmul.op.ts';
export type { MatmulAttrs } from './ops/matmul/matmul.op.ts';
export { argmax } from './ops/reduce/argmax.op.ts';
export { max } from './ops/reduce/max.op.ts';
export { mean, sum, sumTo } from './ops/reduce/sum.op.ts';
export type { ReduceOptions } from './ops/reduce/sum.op.ts';
export { registry } from './ops/registry.ts';
export type { Kernel, KernelTable, OpName } from './ops/registry.ts';
export { gatherPair } from './ops/scatter-all/gather-pair.op.ts';
export type { Scattered } from './ops/scatter-all/scatter-add-all.op.ts';
export { segmentMax } from './ops/segment/segment-max.op.ts';
export { segmentSoftmax } from './ops/segment/segment-softmax.op.ts';
export { segmentMean, segmentSum } from './ops/segment/segment-sum.op.ts';
export { broadcastTo } from './ops/shape/broadcast-to.op.ts';
export { concat, stack } from './ops/shape/concat.op.ts';
export { pad } from './ops/shape/pad.op.ts';
export { permute, transpose } from './ops/shape/permute.op.ts';
export { reshape } from './ops/shape/reshape.op.ts';
export { slice, split } from './ops/shape/slice.op.ts';
export { logSoftmax, softmax } from './ops/softmax/softmax.op.ts';
export { typedLinear, typedOuter } from './ops/typed-linear/typed-linear.op.ts';
export { gatherMul } from './ops/weighted-sum/weighted-sum.op.ts';
export type { GatherMulAttrs } from './ops/weighted-sum/weighted-sum.op.ts';
export { where } from './ops/where/where.op.ts';
export { normal, truncatedNormal, uniform } from './random/distributions.ts';
export type { NormalOptions, UniformOptions } from './random/distributions.ts';
export { multiplyHigh, philox } from './random/philox.ts';
export { RandomKey, randomKey } from './random/random-key.ts';
