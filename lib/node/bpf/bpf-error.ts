/** `missing`: no libbpf, no object, no right. `refused`: the kernel or libbpf said no. `full`: no room in a map. `layout`: the object and the agent differ. `held`: another process uses it. */
export type BpfErrorCode = 'missing' | 'refused' | 'full' | 'layout' | 'held';

/** What the kernel, libbpf or the object refuses, as a sentence. */
export class BpfError extends Error {
  override readonly name = 'BpfError';
  readonly code: BpfErrorCode;

  constructor(code: BpfErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
