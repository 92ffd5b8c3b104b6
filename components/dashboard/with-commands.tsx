/** A sentence with commands between backticks. */
export function WithCommands({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place.
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
