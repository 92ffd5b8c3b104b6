export { type CalicoKind, kindNamed } from './calico-kinds.ts';
export { derivedFrom } from './derived-objects.ts';
export { storedNames, tierOf } from './policy-name.ts';
export { wrongSelector } from './selector-syntax.ts';
export { shownObject } from './shown-object.ts';
export { withDefaults, withPolicyTypes } from './spec-defaults.ts';
export { storedPatch } from './stored-patch.ts';
