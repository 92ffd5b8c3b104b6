/**
 * The part of OpenAPI v3 that the store understands: what CustomResourceDefinitions carry, and what our script keeps of the
 * server's own `/openapi/v3`. `ref` names another built-in definition.
 */
export type Schema = {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly ref?: string;
  /** Built-in kinds: whether Go's encoder drops the field's zero value (`omitempty`) or writes it. */
  readonly zero?: 'dropped' | 'written';
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
};

/** Finds the built-in definition of a `ref`. */
export type Definitions = (name: string) => Schema | undefined;
