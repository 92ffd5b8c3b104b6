export {
  contextOfSandbox,
  type FlagsByProgram,
  flagsByProgram,
  type KubeconfigNamed,
  noFlags,
} from './flags-by-program.ts';
export { jsonText } from './json-text.ts';
export { markdownCode, markdownText } from './markdown-text.ts';
export { isMasked, lastAppliedAnnotation, mask, maskedAt, maskedData, maskedText, secretIn } from './mask.ts';
export { programOutput } from './program-output.ts';
export { secretByName } from './secret-names.ts';
export { shellComment, shellLine, shellWord, shellWordInSentence } from './shell-word.ts';
export { strangeInLine } from './strange-characters.ts';
export { isNameAsShown, isPlain, visible, visibleLine } from './visible.ts';
export { visibleData } from './visible-data.ts';
export {
  readsDumps,
  readsEtcd,
  readsJournals,
  sentenceWithClusterFlags,
  withClusterFlags,
} from './with-cluster-flags.ts';
export { xmlAttribute, xmlText } from './xml-text.ts';
