/** Whether a key that is pressed there is text: shortcuts of one letter are off (WCAG 2.2, 2.1.4). */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
