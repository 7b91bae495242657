//! temp
fn main() {
    println!("{}", serde_json::to_string(&tidegate::api::ocm::crds::all().unwrap()).unwrap());
}
