import type { Lenient } from './lenient.ts';

/**
 * A model of @kubernetes/client-node as the API's JSON has it: the library turns times into `Date` and gives reserved words an underscore
 * (`_from`), and its own serializer turns them back. Here an object stays as it came, since a Date keeps neither the microseconds of a Lease
 * nor a time that is none, and what is written back must equal what was read.
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

/** Paths of what is read and is not in the model, or is of another type there. */
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

/** A reader of some fields of a kind, which the compiler holds against the library's model of it: a misspelt field is an error, and names its path. */
export function readerOf<M>() {
  return <P>(
    reader: Lenient<P> & ([Misfit<P, Json<M>>] extends [never] ? unknown : { readonly notInModel: Misfit<P, Json<M>> }),
  ): ((object: unknown) => P) => reader.parse;
}
