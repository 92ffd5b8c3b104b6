export {
  contextOfSandbox,
  type FlagsByProgram,
  flagsByProgram,
  type KubeconfigNamed,
  unled,
} from './flags-by-program.ts';
export { jsonText } from './json-text.ts';
export { ledToCluster, readsJournals, sentenceLedToCluster } from './led-to-cluster.ts';
export { markdownCode, markdownText } from './markdown-text.ts';
export { isMasked, mask, maskedAt, maskedData, maskedText, secretIn } from './mask.ts';
export { type SaidByProgram, saidByProgram } from './said-by-program.ts';

export { secretByName } from './secret-names.ts';
export { shellComment, shellLine, shellWord } from './shell-word.ts';
export { shown } from './shown.ts';
export { strangeInLine } from './strange-characters.ts';
export { isNameAsShown, isPlain, visible, visibleLine } from './visible.ts';
export { xmlAttribute, xmlText } from './xml-text.ts';
