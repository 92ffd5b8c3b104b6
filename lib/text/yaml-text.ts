import { Document, isScalar, visit } from 'yaml';
import { allStrangeInText, strangeInText } from './strange-characters.ts';

/** YAML that can be shown as it is, and is parsed back to the same data: text with strange characters stands in double quotes, with escapes. */
export function yamlText(data: unknown): string {
  const document = new Document(data, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === 'string' && strangeInText.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
    Pair: (_key, { key }) => {
      if (isScalar(key) && typeof key.value === 'string' && strangeInText.test(key.value)) key.type = 'QUOTE_DOUBLE';
    },
  });
  // Folding a quoted text would put a line feed into it.
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  return text.replace(allStrangeInText, escaped);
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
