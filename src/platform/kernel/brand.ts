/** Makes two types of the same shape incompatible, so that an id or an instant cannot be confused with a plain number. */
export type Brand<Value, Name extends string> = Value & { readonly __brand: Name };
