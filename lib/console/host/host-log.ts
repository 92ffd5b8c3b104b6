/** Writes a line to the console's log. `cause`: for debugging. Holds no credential: errors of `lib/` contain none. */
export type HostLog = (line: string, cause?: unknown) => void;
