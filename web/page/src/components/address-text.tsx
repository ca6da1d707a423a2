import type { VNode } from "preact";
import { chunkAddress } from "../chunk-address.ts";

/** An address in visual groups of four. Selecting, copying and screen readers get the plain address. */
export function AddressText({ address }: { readonly address: string }): VNode {
  return (
    <code class="address" dir="ltr" translate={false}>
      {chunkAddress(address).map((chunk, index) => (
        <span key={index}>{chunk}</span>
      ))}
    </code>
  );
}
