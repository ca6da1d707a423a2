import { Button, Collapse } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useId } from "react";
import { t } from "../language/t.ts";

/** Fields that few need, behind a button. */
export function MoreOptions({ children }: { readonly children: ReactNode }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <>
      <Button
        variant="transparent"
        px={0}
        onClick={toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        style={{ alignSelf: "start" }}
      >
        {isOpen ? t("Fewer options") : t("More options")}
      </Button>
      <Collapse expanded={isOpen} id={id}>
        {children}
      </Collapse>
    </>
  );
}
