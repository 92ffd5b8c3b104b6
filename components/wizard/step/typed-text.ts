import { z } from 'zod';
import type { Values } from '#lib/console/wizard/index.ts';

const textsSchema = z.record(z.string(), z.string());
const typedSchema = z.object({ base: textsSchema, values: textsSchema });

/** Typed values that are not saved yet, in this tab's session storage, so that they survive a reload, an ended session and a sign-in. */
export type TypedText = { base: Values; values: Values };

const keyOf = (draft: string, step: string) => `signalbox:typed:${draft}:${step}`;

export function rememberTyped(draft: string, step: string, typed: TypedText | null): void {
  try {
    if (typed === null) sessionStorage.removeItem(keyOf(draft, step));
    else sessionStorage.setItem(keyOf(draft, step), JSON.stringify(typed));
  } catch {
    // Storage may be full or forbidden; the form itself still holds the text.
  }
}

export function rememberedTyped(draft: string, step: string): TypedText | null {
  try {
    const parsed = typedSchema.safeParse(JSON.parse(sessionStorage.getItem(keyOf(draft, step)) ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
