import { Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentPropsWithRef } from "react";

function LinkedButton(props: ButtonProps & Omit<ComponentPropsWithRef<"a">, keyof ButtonProps>) {
  return <Button component="a" {...props} />;
}

/** A link that looks as a button: for what leads to a page, not for what acts. */
export const ButtonLink = createLink(LinkedButton);
