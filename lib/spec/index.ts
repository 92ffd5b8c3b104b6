export { type Choices, choicesSchema, type Goal, goals, type PlatformKind, platformKinds } from './choices.ts';
export { cannotLand, type LandingNode, type LandingPod } from './daemon-landing.ts';
export { names } from './names.ts';
export { type ObjectRef, objectId } from './object-ref.ts';
export { apiVersionOf, type Resource, resources } from './resources.ts';
