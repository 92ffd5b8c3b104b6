/** How far a file is: `total` is null where the server does not say how long it is. Bytes. */
export type Progress = { readonly file: string; readonly received: number; readonly total: number | null };
