import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A link to a page whose path is put together while the page is shown; `TextLink` is for those that stand in the source. */
export function PathLink({
  to,
  search,
  size,
  children,
}: {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly size?: "sm";
  readonly children: ReactNode;
}) {
  // The router's own type of a link leaves no room for a path that it does not know.
  const target = { to, ...(search === undefined ? {} : { search }) } as object;
  return (
    <Anchor component={Link} {...target} {...(size === undefined ? {} : { size })}>
      {children}
    </Anchor>
  );
}
