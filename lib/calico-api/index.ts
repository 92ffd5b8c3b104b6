export { type CalicoKind, kindNamed } from './calico-kinds.ts';
export { derivedFrom } from './derived-objects.ts';
export { storedNames } from './policy-name.ts';
export { shownObject } from './shown-object.ts';
export { storedPatch } from './stored-patch.ts';
