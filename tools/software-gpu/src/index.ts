export { chromiumArguments, chromiumExecutable } from './chromium.ts';
export { screenshot, withPage, type PageOptions } from './page.ts';
export {
  softwareVulkan,
  softwareVulkanEnvironment,
  useSoftwareVulkan,
  type SoftwareVulkan,
} from './software-vulkan.ts';
