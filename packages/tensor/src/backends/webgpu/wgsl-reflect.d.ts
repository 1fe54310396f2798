// The package types its Node entry, which does not import as ESM; the module beside it does.
declare module 'wgsl_reflect/wgsl_reflect.module.js' {
  export { WgslParser, WgslReflect } from 'wgsl_reflect';
}
