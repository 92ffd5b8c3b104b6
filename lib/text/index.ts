export { jsonText } from './json-text.ts';
export { markdownCode, markdownText } from './markdown-text.ts';
export { shellComment, shellLine, shellWord } from './shell-word.ts';
export { shown } from './shown.ts';
export { strangeCharacters, strangeInLine, strangeInText } from './strange-characters.ts';
export { isNameAsShown, isPlain, visible, visibleLine } from './visible.ts';
export { xmlAttribute, xmlText } from './xml-text.ts';
