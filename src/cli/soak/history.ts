/** The checker of histories. Resolves to the exit code. */
export async function soakHistory(_args: readonly string[]): Promise<number> {
  throw new Error('Not there yet.');
}
