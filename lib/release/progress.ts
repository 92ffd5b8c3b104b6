/** Progress of a file in bytes. `total` is null if the server does not report the length. */
export type Progress = { readonly file: string; readonly received: number; readonly total: number | null };
