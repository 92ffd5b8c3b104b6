import { type Ref, type RefCallback, useCallback, useEffect, useRef, useState } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Fields that React has. What they hold from then on came through its events. */
const taken = new WeakSet<Field>();

/**
 * The `ref` of a field that is on the page before its scripts are: no handler has heard what was chosen or typed there until React takes the field over. It is
 * given again then, as if the user gave it now, so that a slow script loses no answer and no field shows what its page does not know. A field that only
 * appears afterwards needs none. `ref`: another one of the field; it must stay the same.
 *
 * Its form needs `autoComplete="off"`, or the field itself: what a browser restores from an earlier visit is no answer.
 */
export function useTakeOver<T extends Field>(ref?: Ref<T>): RefCallback<T> {
  const takingOver = useTakingOver();
  const [taking] = useState(() => takingOver(ref));
  return taking;
}

/** The same for several fields of one component. The `ref` of each may set it back: what it holds is read before, and given again after. */
export function useTakingOver(): <T extends Field>(ref: Ref<T> | undefined) => RefCallback<T> {
  const waiting = useRef<(() => void)[]>([]);
  useEffect(() => {
    const all = waiting.current.splice(0);
    // Effects that belong together run in one go: after them, whoever listens around the field does so.
    if (all.length > 0)
      queueMicrotask(() => {
        for (const giveAgain of all) giveAgain();
      });
  }, []);
  return useCallback(
    (ref) => (field) => {
      const giveAgain = field === null || taken.has(field) ? null : givenEarly(field);
      if (field !== null) taken.add(field);
      if (giveAgain !== null) waiting.current.push(giveAgain);
      if (typeof ref === 'function') ref(field);
      else if (ref) ref.current = field;
    },
    [],
  );
}

/** How to give again what a user gave to a field; null: it is as the server sent it. */
function givenEarly(field: Field): (() => void) | null {
  if (field instanceof HTMLSelectElement) return chosenEarly(field);
  if (field.type === 'radio' || field.type === 'checkbox') return checkedEarly(field as HTMLInputElement);
  const { value, defaultValue } = field;
  return value === defaultValue ? null : () => type(field, value);
}

/** The server marks the option that it chose. A browser's own select has no mark. */
function chosenEarly(field: HTMLSelectElement): (() => void) | null {
  const { value } = field;
  const sent = [...field.options].find(({ defaultSelected }) => defaultSelected);
  if (sent === undefined || value === sent.value) return null;
  return () => {
    field.value = value;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  };
}

/** A radio button is only let go by another one of its group, which is given again itself. */
function checkedEarly(field: HTMLInputElement): (() => void) | null {
  const { checked, defaultChecked, type: kind } = field;
  if (checked === defaultChecked || (kind === 'radio' && !checked)) return null;
  return () => {
    field.checked = !checked;
    field.click();
  };
}

/**
 * React ignores the event of a field that holds what it held when React last looked: it looks through a setter of its own on the field. That setter is told of
 * the field's first text, for a copy of the field. The field itself is not touched, because that would break off what an input method is composing in it; only a
 * `ref` that has set it back makes that necessary.
 */
function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  Object.getOwnPropertyDescriptor(field, 'value')?.set?.call(field.cloneNode(), field.defaultValue);
  if (field.value !== text) setAgain(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Sets a text in a way that React does not see. */
function setAgain(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const { selectionStart, selectionEnd } = field;
  const { prototype } = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text);
  if (field === document.activeElement && selectionStart !== null)
    field.setSelectionRange(selectionStart, selectionEnd);
}
