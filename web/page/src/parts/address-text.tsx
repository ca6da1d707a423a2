import type { VNode } from "preact";
import { chunkAddress } from "../chunk-address.ts";

/** In groups that only the eye sees: what is selected or read out is the address itself. */
export function AddressText({ address }: { readonly address: string }): VNode {
  return (
    <code class="address" dir="ltr" translate={false}>
      {chunkAddress(address).map((chunk, index) => (
        <span key={index}>{chunk}</span>
      ))}
    </code>
  );
}
