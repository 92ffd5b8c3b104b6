export { type GateLetter, gateMatrix } from './gate-matrix.ts';
export { type ReferencePage, referencePage, referencePages } from './pages.ts';
export { signText } from './sign-text.ts';
