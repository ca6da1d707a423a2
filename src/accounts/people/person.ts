/** A member of an account, as whom a person acts. */
export type Person = { readonly accountId: string; readonly memberId: string };
