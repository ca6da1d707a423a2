import { TextInput } from "@mantine/core";
import { t } from "../../language/t.ts";
import { LooseningNote } from "./loosening-note.tsx";

/** What the approver reads, and what happens to a change that loosens. `field` binds the input to its form. */
export function NoteField({ field }: { readonly field: object }) {
  return (
    <>
      <TextInput
        label={t("Note")}
        description={t("For the member who approves it.")}
        maxLength={256}
        {...field}
      />
      <LooseningNote />
    </>
  );
}
