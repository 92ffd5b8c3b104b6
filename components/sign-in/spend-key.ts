/** The result of a key. `offline`: the console did not answer. */
export type KeyOutcome = 'signed-in' | 'wrong' | 'used' | 'expired' | 'too-many' | 'offline';

/** Sends the key to the console, which sets an HttpOnly cookie. */
export async function spendKey(key: string): Promise<KeyOutcome> {
  try {
    const response = await fetch('/sign-in', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ key }),
      credentials: 'same-origin',
    });
    if (response.ok) return 'signed-in';
    const refusal: unknown = await response.json();
    return outcomeOf(refusal);
  } catch {
    return 'offline';
  }
}

function outcomeOf(refusal: unknown): KeyOutcome {
  const code = typeof refusal === 'object' && refusal !== null && 'code' in refusal ? refusal.code : null;
  switch (code) {
    case 'key.used':
      return 'used';
    case 'key.expired':
      return 'expired';
    case 'key.too-many':
      return 'too-many';
    default:
      return 'wrong';
  }
}
