/**
 * `missing`: libbpf, the object or a right is missing. `refused`: the kernel or libbpf refused. `full`: a map has no room. `layout`: object and agent
 * disagree about records. `held`: another process uses the pins.
 */
export type BpfErrorCode = 'missing' | 'refused' | 'full' | 'layout' | 'held';

/** An error of the kernel, libbpf or the object; the message is a sentence. */
export class BpfError extends Error {
  override readonly name = 'BpfError';
  readonly code: BpfErrorCode;

  constructor(code: BpfErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The remedy for a right that is missing; none for root, to whom a container, a locked-down kernel or a parent's cgroup program may refuse it. */
export function rootRemedy(uid = process.geteuid?.()): string {
  return uid === 0 ? '' : ' Run this as root.';
}
