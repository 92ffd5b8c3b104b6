/** One line for the console's log; `cause` is for whoever looks for a fault. Holds no credential: errors of `lib/` carry none. */
export type HostLog = (line: string, cause?: unknown) => void;
