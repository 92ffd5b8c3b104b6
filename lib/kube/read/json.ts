import type { Lenient } from './lenient.ts';

/**
 * A model of @kubernetes/client-node in the form of the API's JSON. The library turns times into `Date` and puts an underscore before reserved words
 * (`_from`); its serializer reverses both. Here objects stay as they came: a `Date` loses the microseconds of a Lease and text that is no time, and what is
 * written back must equal what was read.
 */
export type Json<M> = 0 extends 1 & M
  ? M
  : M extends Date
    ? string
    : M extends readonly (infer E)[]
      ? readonly Json<E>[]
      : M extends object
        ? { [K in keyof M as K extends `_${infer Name}` ? Name : K]: Json<M[K]> }
        : M;

/** Paths of fields that are read but missing in the model, or have another type there. */
type Misfit<P, M, At extends string = ''> = 0 extends 1 & M
  ? never
  : unknown extends P
    ? never
    : NonNullable<P> extends infer Read
      ? NonNullable<M> extends infer Model
        ? Read extends string | number | boolean
          ? Read extends Model
            ? never
            : At
          : Read extends readonly (infer E)[]
            ? Model extends readonly (infer F)[]
              ? Misfit<E, F, `${At}[]`>
              : At
            : string extends keyof Read
              ? Model extends Record<string, infer F>
                ? Misfit<Read[string], F, `${At}{}`>
                : At
              : {
                  [K in keyof Read & string]: K extends keyof Model
                    ? Misfit<Read[K], Model[K], `${At}.${K}`>
                    : `${At}.${K}`;
                }[keyof Read & string]
        : never
      : never;

/** A reader of some fields of a kind. The compiler compares them with the library's model: a misspelt field is a type error that names its path. */
export function readerOf<M>() {
  return <P>(
    reader: Lenient<P> & ([Misfit<P, Json<M>>] extends [never] ? unknown : { readonly notInModel: Misfit<P, Json<M>> }),
  ): ((object: unknown) => P) => reader.parse;
}
