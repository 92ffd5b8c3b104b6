import { Document, isScalar, visit } from 'yaml';
import { allStrangeInText, strangeInText } from './strange-characters.ts';

/** YAML that can be shown unchanged and is parsed back to the same data: texts with special characters are in double quotes, with escapes. */
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
  // Folding would put a line feed into a quoted text.
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  return text.replace(allStrangeInText, escaped);
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
