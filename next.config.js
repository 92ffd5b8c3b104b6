// Configuration of the console's routes and components in `app/` and `components/`.
// It is filled when the console comes; nothing reads it before.
export default {};
