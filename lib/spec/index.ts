export { names } from './names.ts';
export { apiVersionOf, type Resource, resources } from './resources.ts';
