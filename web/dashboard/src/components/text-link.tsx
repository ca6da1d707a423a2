import { Anchor, type AnchorProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentPropsWithRef } from "react";

function LinkedText(props: AnchorProps & Omit<ComponentPropsWithRef<"a">, keyof AnchorProps>) {
  return <Anchor {...props} />;
}

/** A link to a dashboard page: `<TextLink to="/deposits" search={{ "filter[wallet]": id }}>`. */
export const TextLink = createLink(LinkedText);
